package main

import "fmt"

// other is what another program costs on the same load. Ranges are over runs.
type other struct {
	size              size
	program, requests string
	poll, own, broker string // ms
	peak              string // MB
	page              string // MB (gzip kB)
	series            string
}

func others() []other {
	medium, large := size{2000, 100, 50}, size{10_000, 200, 50}
	return []other{
		{medium, "kminion of 2026-08-17", "112", "210-290", "130-170", "80-180", "52-87", "1.17 (59)", "11065"},
		{medium, "kafka_exporter of 2026-01-08", "9203", "3000-3400", "1900-2000", "1400-1600", "49-51", "2.19 (117)", "25702"},
		{medium, "klag-exporter 0.1.29", "584", "280-460", "220-250", "140-290", "97-103", "3.84 (189)", "29915"},
		{medium, "klag 0.2.6", "1604", "900-1800", "900-1500", "370-660", "335-346", "2.6 (132)", "22641"},
		{large, "kminion of 2026-08-17", "212", "660-1000", "380-470", "370-580", "148-201", "3.6 (151)", "36465"},
		{large, "kafka_exporter of 2026-01-08", "30304", "14200-17600", "8800-9100", "6000-6200", "126-131", "7.4 (337)", "93602"},
		{large, "klag-exporter 0.1.29", "1182", "2900-3100", "2400", "450", "224", "8.6 (409)", "71853"},
		{large, "klag 0.2.6", "7405", "4900-9400", "3200-3600", "2500-2800", "419-613", "5.2 (245)", "44869"},
	}
}

func (o other) row() []string {
	return []string{o.program, "", o.requests, "", o.poll, o.own, o.broker, "", o.peak, "", "", o.page, fmt.Sprint(o.series), ""}
}
