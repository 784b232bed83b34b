import type { CDPSession, Page } from "playwright-core";
import { longestMs } from "./stage.ts";

interface Node {
  nodeId: string;
  parentId?: string;
  childIds?: string[];
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
  backendDOMNodeId?: number;
}

/** Search only below the first node with this role and name. */
export type Within = readonly [role: string, name: string | RegExp];

/**
 * A page as a screen reader sees it: only the browser's accessibility tree. Everything is found by role and name, in
 * the order of the tree; the functions wait until it is there.
 */
export class Tree {
  private constructor(private readonly page: Page, private readonly session: CDPSession) {}

  static async of(page: Page): Promise<Tree> {
    const session = await page.context().newCDPSession(page);
    await session.send("Accessibility.enable");
    return new Tree(page, session);
  }

  /** Activates a control. */
  async press(role: string, name: string | RegExp, within?: Within): Promise<void> {
    await this.run(await this.find(role, name, within), "function () { this.click() }");
  }

  /** Enters a text in a field. */
  async type(name: string | RegExp, text: string, within?: Within): Promise<void> {
    await this.run(await this.find("textbox", name, within), "function () { this.focus() }");
    await this.page.keyboard.insertText(text);
  }

  /** All texts that a screen reader reads below a node. */
  async text(role: string, name: string | RegExp, within?: Within): Promise<string> {
    const { node, nodes } = await this.find(role, name, within);
    return below(node, nodes).filter((each) => each.role?.value === "StaticText")
      .map((each) => each.name?.value ?? "").join(" ");
  }

  /** Waits for a node. Throws an error with the roles and names of the page if it does not come. */
  async find(
    role: string,
    name: string | RegExp,
    within?: Within,
  ): Promise<{ node: Node; nodes: Map<string, Node> }> {
    const end = performance.now() + longestMs;
    for (;;) {
      const { nodes: all } = await this.session.send("Accessibility.getFullAXTree") as {
        nodes: Node[];
      };
      const nodes = new Map(all.map((each) => [each.nodeId, each]));
      const matches = (node: Node, [role, name]: Within) =>
        !node.ignored && node.role?.value === role &&
        (typeof name === "string" ? node.name?.value === name : name.test(node.name?.value ?? ""));
      const root = all.find(({ parentId }) => parentId === undefined)!;
      const order = below(root, nodes);
      const scope = within ? order.find((each) => matches(each, within)) : root;
      const node = scope && below(scope, nodes).find((each) => matches(each, [role, name]));
      if (node) return { node, nodes };
      if (performance.now() > end) {
        const heard = order.filter((each) => !each.ignored && each.name?.value)
          .map((each) => `${each.role?.value} ${each.name?.value}`);
        throw new Error(`no ${role} ${name} in the tree:\n${heard.join("\n")}`);
      }
      await this.page.waitForTimeout(50);
    }
  }

  private async run({ node }: { node: Node }, code: string): Promise<void> {
    const { object } = await this.session.send("DOM.resolveNode", {
      backendNodeId: node.backendDOMNodeId,
    });
    await this.session.send("Runtime.callFunctionOn", {
      objectId: object.objectId,
      functionDeclaration: code,
      userGesture: true,
    });
  }
}

/** A node and all below it, in the order in which they are read. */
function below(node: Node, nodes: Map<string, Node>): Node[] {
  const children = (node.childIds ?? []).flatMap((each) => nodes.get(each) ?? []);
  return [node, ...children.flatMap((each) => below(each, nodes))];
}
