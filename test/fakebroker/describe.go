package fakebroker

import (
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafka-retention-exporter/model"
)

// takeOver answers two requests in kfake's place: DescribeConfigs, because kfake knows few of
// the settings, and DescribeLogDirs, because it counts live batches where a broker counts files.
func (c *Cluster) takeOver() {
	c.fake.ControlKey(int16(kmsg.DescribeConfigs), c.describeConfigs)
	c.fake.ControlKey(int16(kmsg.DescribeLogDirs), c.describeLogDirs)
}

func (c *Cluster) describeConfigs(r kmsg.Request) (kmsg.Response, error, bool) {
	c.fake.KeepControl()
	node := strconv.Itoa(int(c.fake.CurrentNode()))
	request := r.(*kmsg.DescribeConfigsRequest)
	response := request.ResponseKind().(*kmsg.DescribeConfigsResponse)
	for _, asked := range request.Resources {
		answer := kmsg.NewDescribeConfigsResponseResource()
		answer.ResourceType, answer.ResourceName = asked.ResourceType, asked.ResourceName
		switch asked.ResourceType {
		case kmsg.ConfigResourceTypeTopic:
			c.describeTopic(&answer)
		case kmsg.ConfigResourceTypeBroker:
			c.describeBroker(&answer, node)
		default:
			return nil, nil, false // kfake knows the others
		}
		if asked.ConfigNames != nil {
			answer.Configs = slices.DeleteFunc(answer.Configs, func(one kmsg.DescribeConfigsResponseResourceConfig) bool {
				return !slices.Contains(asked.ConfigNames, one.Name)
			})
		}
		response.Resources = append(response.Resources, answer)
	}
	return response, nil, true
}

func (c *Cluster) describeTopic(answer *kmsg.DescribeConfigsResponseResource) {
	about := c.fake.TopicInfo(answer.ResourceName)
	if about == nil {
		answer.ErrorCode = kerr.UnknownTopicOrPartition.Code
		return
	}
	for _, v := range c.resolve(about.Configs) {
		answer.Configs = append(answer.Configs, described(v))
	}
}

// describeBroker answers for the broker that was asked; another one's settings it refuses.
func (c *Cluster) describeBroker(answer *kmsg.DescribeConfigsResponseResource, node string) {
	if answer.ResourceName != node && answer.ResourceName != "" {
		answer.ErrorCode = kerr.InvalidRequest.Code
		return
	}
	for name, text := range c.broker {
		source := kmsg.ConfigSourceDefaultConfig
		if _, set := c.options.Configs[name]; set || name == keyCheckInterval {
			source = kmsg.ConfigSourceStaticBrokerConfig
		}
		answer.Configs = append(answer.Configs, described(value{name, text, source}))
	}
}

func described(v value) kmsg.DescribeConfigsResponseResourceConfig {
	one := kmsg.NewDescribeConfigsResponseResourceConfig()
	one.Name, one.Value, one.Source = v.name, new(v.text), v.source
	one.IsDefault = v.source == kmsg.ConfigSourceDefaultConfig
	return one
}

// logDir is where every broker says that its logs are, on a volume of this size.
const (
	logDir      = "/var/lib/kafka"
	volumeBytes = 1 << 40
)

// describeLogDirs tells each broker's logs, those that it leads. The request waits while the
// models catch up with the cluster, which answers other connections meanwhile.
func (c *Cluster) describeLogDirs(r kmsg.Request) (kmsg.Response, error, bool) {
	c.fake.KeepControl()
	node := c.fake.CurrentNode()
	request := r.(*kmsg.DescribeLogDirsRequest)
	response := request.ResponseKind().(*kmsg.DescribeLogDirsResponse)
	dir := kmsg.NewDescribeLogDirsResponseDir()
	dir.Dir, dir.TotalBytes = logDir, volumeBytes
	var err error
	c.fake.SleepControl(func() { err = c.fillDir(&dir, node, wanted(request)) })
	if err != nil {
		response.ErrorCode = kerr.UnknownServerError.Code
		return response, nil, true
	}
	response.Dirs = append(response.Dirs, dir)
	return response, nil, true
}

// wanted tells which partitions a request is about; with none named it is all.
func wanted(request *kmsg.DescribeLogDirsRequest) func(model.PartitionKey) bool {
	return func(key model.PartitionKey) bool {
		return request.Topics == nil || slices.ContainsFunc(request.Topics, func(t kmsg.DescribeLogDirsRequestTopic) bool {
			return t.Topic == key.Topic && slices.Contains(t.Partitions, key.Partition)
		})
	}
}

// patience bounds the wait for what holds the gate.
const patience = 30 * time.Second

func (c *Cluster) fillDir(dir *kmsg.DescribeLogDirsResponseDir, node int32, wanted func(model.PartitionKey) bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := c.enter(ctx); err != nil {
		return err
	}
	defer c.gate.leave()
	if err := c.followAll(ctx); err != nil {
		return err
	}
	used := model.Bytes(0)
	for key, r := range c.logs {
		if r.leader != node {
			continue
		}
		used += r.log.Size()
		if !wanted(key) {
			continue
		}
		p := kmsg.NewDescribeLogDirsResponseDirTopicPartition()
		p.Partition, p.Size = key.Partition, int64(r.log.Size())
		t := kmsg.NewDescribeLogDirsResponseDirTopic()
		t.Topic, t.Partitions = key.Topic, append(t.Partitions, p)
		dir.Topics = append(dir.Topics, t)
	}
	dir.UsableBytes = volumeBytes - int64(used)
	return nil
}
