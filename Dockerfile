FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=unknown
ARG REVISION=unknown
RUN CGO_ENABLED=0 go build -trimpath \
    -ldflags "-s -w -X github.com/prometheus/common/version.Version=${VERSION} -X github.com/prometheus/common/version.Revision=${REVISION}" \
    -o /kafka-retention-exporter .

FROM gcr.io/distroless/static:nonroot
LABEL org.opencontainers.image.title="kafka-retention-exporter" \
      org.opencontainers.image.description="Forecasts when Kafka's retention deletes records that consumer groups have not read yet" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY LICENSE /LICENSE
COPY --from=build /kafka-retention-exporter /bin/kafka-retention-exporter
# A number, not a name: Kubernetes can check runAsNonRoot only for that.
USER 65532:65532
EXPOSE 10059
ENTRYPOINT ["/bin/kafka-retention-exporter"]
