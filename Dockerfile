# The image. For both architectures at once: docker buildx build --platform=linux/amd64,linux/arm64 .
# The compiler runs on the builder's own and compiles for the other. The same sources and arguments
# give the same bytes: test/image follows this file without a container engine and compares them.
FROM --platform=$BUILDPLATFORM golang:1.26.8 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=unknown
ARG REVISION=unknown
ARG TARGETOS
ARG TARGETARCH
RUN CGO_ENABLED=0 GOOS=${TARGETOS} GOARCH=${TARGETARCH} go build -trimpath -buildvcs=false \
    -ldflags "-s -w -X github.com/prometheus/common/version.Version=${VERSION} -X github.com/prometheus/common/version.Revision=${REVISION}" \
    -o /out/kafka-retention-exporter .

FROM gcr.io/distroless/static-debian12:nonroot
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="kafka-retention-exporter" \
      org.opencontainers.image.description="Forecasts when Kafka's retention deletes records that consumer groups have not read yet" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="https://github.com/kafka-retention-exporter/kafka-retention-exporter" \
      org.opencontainers.image.documentation="https://github.com/kafka-retention-exporter/kafka-retention-exporter/blob/main/README.md" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.base.name="gcr.io/distroless/static-debian12:nonroot"
COPY LICENSE /LICENSE
COPY --from=build /out/kafka-retention-exporter /bin/kafka-retention-exporter
# A number, not a name: Kubernetes can check runAsNonRoot only for that.
USER 65532:65532
EXPOSE 10059
ENTRYPOINT ["/bin/kafka-retention-exporter"]
