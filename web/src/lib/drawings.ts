/** Drawings, which screen and paper share: SVG files of many symbols, in the package (src/cardhouse/drawings). */

/** The drawings of a file by their names, each as the SVG inside it. */
export function symbols(svg: string): Record<string, string> {
  return Object.fromEntries(
    [...svg.matchAll(/<symbol id="([^"]+)"[^>]*>(.*?)<\/symbol>/gs)].map(([, id, inner]) => [id!, inner!]),
  )
}
