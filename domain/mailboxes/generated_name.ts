import type { Ids } from "../core/ids.ts";

const adjectives = (
  "amber ample azure bold brave breezy bright brisk calm candid cheery chilly civic clear " +
  "clever coastal cobalt copper coral cosmic cosy crisp curious daring dapper deft dusty " +
  "eager early easy elegant evening fabled fair fancy festive fine fluent fond frank fresh " +
  "friendly frosty gentle gilded glad golden grand green handy happy hardy hazel hearty " +
  "hidden honest humble icy indigo ivory jade jolly keen kind lively loyal lucid lucky lunar " +
  "maple mellow merry mild mint misty modest mossy neat nimble noble northern olive opal open " +
  "patient placid plucky polar polite prime proud quick quiet rapid ready rosy royal ruby " +
  "rustic sandy scarlet serene sharp shiny silent silver sincere smart smooth snowy sober " +
  "solar solid spry stable starry steady stellar sturdy sunny swift tidy tranquil true upbeat " +
  "velvet violet vivid"
).split(" ");

const nouns = (
  "acorn alder anchor apple arbor aspen badger bamboo barley basil beacon beaver birch bison " +
  "bramble breeze brook canyon castle cedar cherry cliff clover comet condor copse cove crane " +
  "creek cricket crocus daisy delta dingo dolphin dune eagle ember falcon feather fennel fern " +
  "ferret finch fjord forest fox garden gecko geyser ginger glacier glade grove gull harbor " +
  "hare harvest hawk hazelnut heron hill hollow ibis inlet island iris jackal jasper juniper " +
  "kestrel kiwi koala lagoon lake lantern lark laurel lemur lilac lily linden lizard lotus " +
  "lynx magpie mango marble marlin marsh marten meadow melon meteor mill moose moth nectar " +
  "newt oak oasis ocean orchard orchid oriole osprey otter owl panda parrot peach pebble " +
  "pepper petal pine planet plover pond poplar puffin quail quartz rabbit raven reef ridge " +
  "river robin"
).split(" ");

/** A local part such as `quiet-otter-4821`: one of 128 * 128 * 10,000. It is not a secret. */
export function generatedName(ids: Pick<Ids, "bytes">): string {
  const [first, second, ...rest] = ids.bytes(6);
  const number = new DataView(Uint8Array.from(rest).buffer).getUint32(0) % 10_000;
  const digits = String(number).padStart(4, "0");
  return `${adjectives[first % 128]}-${nouns[second % 128]}-${digits}`;
}
