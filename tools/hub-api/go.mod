module hearth.local/tools/hub-api

go 1.26.4

require github.com/goharbor/go-client v0.213.1
