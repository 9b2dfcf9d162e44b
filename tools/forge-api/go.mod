module hearth.local/tools/forge-api

go 1.26.4

require gitlab.com/gitlab-org/api/client-go v1.46.0
