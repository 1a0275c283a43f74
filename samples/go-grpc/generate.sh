#!/bin/sh
# Generates the stubs into the folder weft: sh generate.sh [FOLDER WITH THE PROTOS]
# It needs protoc; PROTOC names another compiler, such as "python -m grpc_tools.protoc".
set -eu
cd "$(dirname "$0")"
protos=${1:-../../proto}
GOBIN="$PWD/bin" go install google.golang.org/protobuf/cmd/protoc-gen-go google.golang.org/grpc/cmd/protoc-gen-go-grpc
PATH="$PWD/bin:$PATH"
files=$(cd "$protos" && ls weft/channels/v1/*.proto weft/executions/v1/*.proto weft/workflows/v1/*.proto)
# the protos name no Go packages
packages=,Mgoogle/rpc/status.proto=google.golang.org/genproto/googleapis/rpc/status
for file in $files; do packages="$packages,M$file=weft.example/sample/$(dirname "$file")"; done
# shellcheck disable=SC2086
${PROTOC:-protoc} -I "$protos" --go_out=. --go_opt="paths=source_relative$packages" \
  --go-grpc_out=. --go-grpc_opt="paths=source_relative$packages" $files
