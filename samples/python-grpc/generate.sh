#!/bin/sh
# Generates the stubs into the folder stubs: sh generate.sh [FOLDER WITH THE PROTOS]
set -eu
cd "$(dirname "$0")"
protos=${1:-../../proto}
mkdir -p stubs
python -m grpc_tools.protoc -I "$protos" --python_out=stubs --grpc_python_out=stubs "$protos"/weft/*/v1/*.proto
