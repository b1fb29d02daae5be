package manifests

import meta "k8s.io/apimachinery/pkg/apis/meta/v1"

// kafkaUser is Strimzi's resource as far as the example uses it. Strimzi has no types for Go, so
// this is the one kind that is checked against our own reading of its documentation.
type kafkaUser struct {
	meta.TypeMeta   `json:",inline"`
	meta.ObjectMeta `json:"metadata"`
	Spec            struct {
		Authentication struct {
			Type string `json:"type"`
		} `json:"authentication"`
		Authorization struct {
			Type string `json:"type"`
			ACLs []acl  `json:"acls"`
		} `json:"authorization"`
	} `json:"spec"`
}

type acl struct {
	Resource struct {
		Type        string `json:"type"`
		Name        string `json:"name"`
		PatternType string `json:"patternType"`
	} `json:"resource"`
	Operations []string `json:"operations"`
}
