module hearth.local/test/argo-cd

go 1.26.3

require github.com/argoproj/argo-cd/v3 v3.5.0
