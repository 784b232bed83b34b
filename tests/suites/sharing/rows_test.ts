import { togetherShared } from "../together.ts";

await togetherShared("rows");
