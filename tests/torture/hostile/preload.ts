import "./lag_meter.ts";
import "./planted_hang.ts";
