{{- define "exporter.name" -}}
{{ default .Chart.Name .Values.nameOverride }}
{{- end }}

{{- define "exporter.fullname" -}}
{{ default .Release.Name .Values.fullnameOverride | trunc 22 | trimSuffix "-" }}
{{- end }}

{{- define "exporter.serviceAccount" -}}
{{- if .Values.serviceAccount.create -}}
{{ default (include "exporter.fullname" .) .Values.serviceAccount.name }}
{{- else -}}
{{ default "default" .Values.serviceAccount.name }}
{{- end -}}
{{- end }}

{{- define "exporter.labels" -}}
app.kubernetes.io/name: {{ include "exporter.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- with .Values.labels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* What tells the pods of one cluster from all others. Takes a dict with top and cluster. */}}
{{- define "exporter.selector" -}}
app.kubernetes.io/name: {{ include "exporter.name" .top }}
app.kubernetes.io/instance: {{ .top.Release.Name }}
kafka_cluster: {{ .cluster.name }}
{{- end }}

{{- define "exporter.clusterName" -}}
{{ printf "%s-%s" (include "exporter.fullname" .top) .cluster.name }}
{{- end }}

{{- /* The clusters with the defaults merged in, as YAML below "clusters". Says what is wrong with them. */}}
{{- define "exporter.clusters" -}}
{{- $all := list -}}
{{- $names := list -}}
{{- range .Values.clusters -}}
  {{- if has .name $names }}{{ fail (printf "two clusters are named %s" .name) }}{{ end -}}
  {{- $names = append $names .name -}}
  {{- $c := mergeOverwrite (deepCopy $.Values.defaults) (deepCopy .) -}}
  {{- if not (dig "kafka" "brokers" "" $c.config) }}{{ fail (printf "cluster %s has no config.kafka.brokers" .name) }}{{ end -}}
  {{- if and $c.state.enabled $c.state.claim.enabled (gt (int $c.replicas) 1) }}{{ fail (printf "cluster %s: one claim for the state of %d replicas" .name (int $c.replicas)) }}{{ end -}}
  {{- $web := mergeOverwrite (deepCopy (dig "web" (dict) $c.config)) (dict "listen-address" (printf ":%d" (int $c.port))) -}}
  {{- $_ := set $c.config "web" $web -}}
  {{- if $c.state.enabled -}}
    {{- $state := mergeOverwrite (dict "file" "/var/lib/kafka-retention-exporter/state") (dig "state" (dict) $c.config) -}}
    {{- $_ := set $c.config "state" $state -}}
  {{- end -}}
  {{- $all = append $all $c -}}
{{- end -}}
{{ toYaml (dict "clusters" $all) }}
{{- end }}
