package login

import (
	"context"
	"fmt"
	"sync"

	awssdk "github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/twmb/franz-go/pkg/sasl"
	"github.com/twmb/franz-go/pkg/sasl/aws"
)

// managedStreaming logs in to Amazon MSK with an IAM identity, which is found where AWS' own tools
// find it: environment, shared files, web identity, container, instance. The chain is set up at
// the first login, since part of it is on the network, and renews what expires by itself. The
// region is in the brokers' names, or else in AWS_REGION.
func managedStreaming() sasl.Mechanism {
	chain := &awsChain{}
	return aws.ManagedStreamingIAM(chain.auth)
}

type awsChain struct {
	mu          sync.Mutex
	credentials awssdk.CredentialsProvider // nil until the chain was set up
}

func (c *awsChain) auth(ctx context.Context) (aws.Auth, error) {
	provider, err := c.provider(ctx)
	if err != nil {
		return aws.Auth{}, err
	}
	found, err := provider.Retrieve(ctx)
	if err != nil {
		return aws.Auth{}, fmt.Errorf("find AWS credentials: %w", err)
	}
	return aws.Auth{AccessKey: found.AccessKeyID, SecretKey: found.SecretAccessKey, SessionToken: found.SessionToken}, nil
}

func (c *awsChain) provider(ctx context.Context) (awssdk.CredentialsProvider, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.credentials != nil {
		return c.credentials, nil
	}
	cfg, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return nil, fmt.Errorf("read AWS configuration: %w", err)
	}
	c.credentials = cfg.Credentials
	return c.credentials, nil
}
