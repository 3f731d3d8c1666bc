/** The page's shared parts as custom elements, for views that are built with nothing (docs/page-contract.md). */
export {}
