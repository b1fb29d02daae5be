package alerts

// The texts are templates of Prometheus: $labels and $value are those of the alert, and query
// asks the server at the time of evaluation. Pieces that ask come first and print nothing.

// clusterText names the cluster where a label does.
const clusterText = "{{ with $labels.kafka_cluster }} (cluster {{ . }}){{ end }}"

// whoText names the pair. The partition is missing under granularity topic.
const whoText = "Group {{ $labels.consumergroup }} on topic {{ $labels.topic }}" +
	"{{ with $labels.partition }}, partition {{ . }}{{ end }}" + clusterText

// topicQueries looks up the limits of the topic, in seconds and bytes; a limit that is off or
// unknown has no result.
const topicQueries = `{{- $topic := printf "topic=%q,job=%q,kafka_cluster=%q" $labels.topic $labels.job $labels.kafka_cluster -}}
{{- $age := printf "min(kafka_retention_topic_retention_seconds{%s}) < Inf" $topic | query -}}
{{- $size := printf "min(kafka_retention_topic_retention_bytes{%s}) < Inf" $topic | query -}}
`

// pairQueries looks up where the group stands. Selecting partition="" selects series without it.
// lead is by how much the size rule is ahead of the time rule: the used ratio is the larger of
// the two, and the share by age can be told from stamps.
const pairQueries = `{{- $pair := printf "%s,consumergroup=%q,partition=%q" $topic $labels.consumergroup $labels.partition -}}
{{- $unread := printf "max(kafka_retention_group_lag_records{%s})" $pair | query -}}
{{- $lead := printf "max(kafka_retention_group_retention_used_ratio{%s}) - clamp_min(time() - min(kafka_retention_group_next_record_timestamp_seconds{%s}), 0) / min(kafka_retention_topic_retention_seconds{%s})" $pair $pair $topic | query -}}
`

// What the rules of the broker are called in a sentence, with their limits.
const (
	ageText  = "retention.ms ({{ $age | first | value | humanizeDuration }})"
	sizeText = "retention.bytes ({{ $size | first | value | humanize1024 }}B a partition)"
)

// ruleText says which rule of the broker deletes here, as far as the limits tell it.
const ruleText = "{{ if and $age $size }}" + ageText + " or " + sizeText + ", whichever comes first,{{ else if $age }}" + ageText +
	"{{ else if $size }}" + sizeText + "{{ else }}retention{{ end }}"

// pairRuleText is ruleText for a pair, of which it can be told which of two limits is nearer.
const pairRuleText = "{{ if and $age $size $lead }}{{ if gt ($lead | first | value) 0.001 }}" + sizeText + ", now nearer than " + ageText +
	",{{ else }}" + ageText + ", now nearer than " + sizeText + ",{{ end }}{{ else }}" + ruleText + "{{ end }}"

const unreadText = "{{ if $unread }}{{ $unread | first | value | printf \"%.0f\" }}{{ else }}its{{ end }} unread records"

// leftText is the value of an alert as a time, in whole seconds: nobody reads hundredths of them.
const leftText = `{{ $value | printf "%.0f" | humanizeDuration }}`

// lossWhen is the sentence on what is lost and when; the value of the alert is the time left.
const lossWhen = "{{ if lt $value 1.0 }}At the next retention pass{{ else }}In " + leftText + "{{ end }} " +
	pairRuleText + " begins to delete what it has not read; at stake are " + unreadText + "."

// who and predicted begin a description with their queries.
const (
	who       = topicQueries + pairQueries + whoText
	predicted = who + " is losing the race against retention. " + lossWhen
)

// buyTime is the command that doubles the limits that are set. It saves what is still there.
const buyTime = "\n" + `To buy time: kafka-configs.sh --bootstrap-server "$BOOTSTRAP" --alter --entity-type topics --entity-name {{ $labels.topic }} --add-config ` +
	"{{ if $age }}retention.ms={{ printf \"2000 * min(kafka_retention_topic_retention_seconds{%s})\" $topic | query | first | value | printf \"%.0f\" }}{{ end }}" +
	"{{ if and $age $size }},{{ end }}" +
	"{{ if $size }}retention.bytes={{ printf \"2 * min(kafka_retention_topic_retention_bytes{%s})\" $topic | query | first | value | printf \"%.0f\" }}{{ end }}" +
	"{{ if not (or $age $size) }}retention.ms=<twice what it is>{{ end }}"

// lostText tells what is gone, what each reset policy would do, and how to go on.
const lostText = topicQueries + pairQueries +
	`{{- $start := printf "max(kafka_retention_partition_log_start_offset{topic=%q,partition=%q,job=%q,kafka_cluster=%q})" $labels.topic $labels.partition $labels.job $labels.kafka_cluster | query -}}
{{- $position := printf "min(kafka_retention_group_committed_offset{%s})" $pair | query -}}
` + whoText + " has lost records: {{ if gt $value 0.0 }}{{ printf \"%.0f\" $value }}{{ else }}some{{ end }} offsets were deleted before it read them (an upper bound of records), by " + pairRuleText + " or by request." +
	"{{ if and $start $position }}{{ if lt ($position | first | value) ($start | first | value) }} It stands at offset {{ $position | first | value | printf \"%.0f\" }}, and the log starts at {{ $start | first | value | printf \"%.0f\" }}: " +
	"restarted with auto.offset.reset=earliest it reads on from there, with latest it skips " + unreadText + " as well.{{ end }}{{ end }}" +
	buyTime + "\n" + `To go on from the log start, with the group stopped: kafka-consumer-groups.sh --bootstrap-server "$BOOTSTRAP" --group '{{ $labels.consumergroup }}' --topic {{ $labels.topic }}{{ with $labels.partition }}:{{ . }}{{ end }} --reset-offsets --to-earliest --execute`
