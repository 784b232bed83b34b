/** The names of what an ONNX graph takes and gives. */
export interface GraphInterface {
  inputs: string[];
  outputs: string[];
}

// Fields of the protobuf messages (onnx.proto3): ModelProto.graph; GraphProto.input and output; ValueInfoProto.name.
const graphField = 7, inputField = 11, outputField = 12, nameField = 1;

/** A field of more bytes than this is no name. */
const longestName = 1_000;

/**
 * Reads what the graph of an ONNX file takes and gives, without its weights: only the heads of fields are read.
 *
 * @throws Error if the file is no ONNX model.
 */
export function readInterface(path: string): GraphInterface {
  using file = Deno.openSync(path);
  const { size } = file.statSync();
  const fields = new FieldReader(file);
  const graph = [...fields.of(0, size)].find(({ field }) => field === graphField);
  if (!graph) throw new Error("it is not an ONNX model");
  const found: GraphInterface = { inputs: [], outputs: [] };
  for (const { field, begin, end } of fields.of(graph.begin, graph.end)) {
    if (field !== inputField && field !== outputField) continue;
    const name = [...fields.of(begin, end)].find((each) => each.field === nameField);
    if (!name || name.end - name.begin > longestName) throw new Error("it is not an ONNX model");
    const list = field === inputField ? found.inputs : found.outputs;
    list.push(new TextDecoder().decode(fields.bytes(name.begin, name.end)));
  }
  return found;
}

/** A field with bytes, and where these are in the file. */
interface Field {
  field: number;
  begin: number;
  end: number;
}

/** Reads the fields of protobuf messages in a file (https://protobuf.dev/programming-guides/encoding). */
class FieldReader {
  constructor(private readonly file: Deno.FsFile) {}

  /** The fields with bytes of the message between two places. */
  *of(begin: number, end: number): Generator<Field> {
    for (let at = begin; at < end;) {
      const head = this.bytes(at, Math.min(end, at + 20));
      const [tag, afterTag] = varint(head, 0);
      const field = Math.floor(tag / 8);
      const kind = tag % 8;
      if (kind === 0) at += varint(head, afterTag)[1];
      else if (kind === 1) at += afterTag + 8;
      else if (kind === 5) at += afterTag + 4;
      else if (kind === 2) {
        const [length, after] = varint(head, afterTag);
        const first = at + after;
        at = first + length;
        if (at > end) throw new Error("it is cut off, or not an ONNX model");
        yield { field, begin: first, end: at };
      } else throw new Error("it is not an ONNX model");
    }
  }

  bytes(begin: number, end: number): Uint8Array {
    const bytes = new Uint8Array(end - begin);
    this.file.seekSync(begin, Deno.SeekMode.Start);
    for (let n = 0; n < bytes.length;) {
      const read = this.file.readSync(bytes.subarray(n));
      if (read === null) throw new Error("it is cut off");
      n += read;
    }
    return bytes;
  }
}

/** A number and the place after it. */
function varint(bytes: Uint8Array, at: number): [value: number, after: number] {
  let value = 0;
  for (let n = 0; n < 10 && at + n < bytes.length; n++) {
    value += (bytes[at + n] & 127) * 2 ** (7 * n);
    if (bytes[at + n] < 128) return [value, at + n + 1];
  }
  throw new Error("it is not an ONNX model");
}
