"""What keeps readers out of a page who hear it, or have no mouse: axe-core, in a real browser."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT

from tests.support.browser import Visit

#: What axe-core has on trial and leaves out unless it is asked: that a name has the words that are
#: to be seen, and that cells have headers.
ON_TRIAL = ("label-content-name-mismatch", "p-as-heading", "table-fake-caption", "td-has-header")

#: What is folded is looked at, too. The hundredth row or fold is as the third, and so are a mark of
#: one kind in a panel and a word of one kind in code; axe-core looks at what stands above what.
PREPARE = """() => {
    const folds = [...document.querySelectorAll("article details")];
    for (const each of folds) each.open = true;
    for (const each of folds.slice(99)) each.remove();
    const mark = "article svg g[class^='mark-']:not(.mark-group) > :not(text):nth-child(n + 4)";
    for (const each of document.querySelectorAll(`article tr:nth-child(n + 4), ${mark}`))
        each.remove();
    const kinds = {};
    for (const each of document.querySelectorAll("article pre > span[class]")) {
        kinds[each.className] = (kinds[each.className] ?? 0) + 1;
        if (kinds[each.className] > 3) each.replaceWith(each.textContent);
    }
}"""

#: The contents at the side: on each page the same links, of which another one is marked.
CONTENTS = ".bd-sidebar-primary"

#: All that axe-core objects to more than a little.
LOOK = """async ({ rules, exclude }) => {
    const { violations } = await axe.run({ exclude }, { rules, resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes
        .filter((node) => node.impact !== "minor")
        .map(({ impact, target, html }) => `${id} (${impact}): ${target}  ${html.slice(0, 200)}`));
}"""

#: A listener hears the finding first, and can skim no more than this.
ALTERNATIVES = """() => [...document.querySelectorAll("article figure.study-chart")]
    .map((figure) => [
        // a blank at which no line ends is heard as any other
        figure.querySelector(".study-chart-title").textContent.replaceAll("\\u00a0", " "),
        figure.querySelector("svg").getAttribute("aria-label") ?? "",
    ])
    .filter(([finding, said]) => !said.startsWith(finding.replace(/[.]$/, "")) || said.length > 600)
    .map(([finding, said]) => `alternative text of ${said.length} characters: ${finding}`)"""


#: Waits until what moves or changes its colour for a while has come to its end.
_AT_REST = """async () => {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  const finite = each => each.effect.getComputedTiming().endTime < Infinity;
  await Promise.allSettled(document.getAnimations().filter(finite).map(each => each.finished));
}"""


def objections(seen: Visit, *, contents: bool = True) -> list[str]:
    """Say what is wrong with a page for readers who hear it, see little, or have no mouse.

    Rows of its tables are gone afterwards.

    Parameters
    ----------
    seen : Visit
        The page, with its charts drawn.
    contents : bool
        Whether to look at the contents at the side, too.

    Returns
    -------
    list of str
        For each: the rule, how serious it is, the element.
    """
    seen.page.evaluate(PREPARE)
    seen.page.evaluate(AXE_SCRIPT)
    seen.page.mouse.move(0, 0)  # a link that the mouse of another test points at has another colour
    seen.page.evaluate(_AT_REST)  # and takes a while to have its own again
    rules = {rule: {"enabled": True} for rule in ON_TRIAL}
    exclude = [] if contents else [[CONTENTS]]
    found: list[str] = seen.page.evaluate(LOOK, {"rules": rules, "exclude": exclude})
    return found + seen.page.evaluate(ALTERNATIVES)
