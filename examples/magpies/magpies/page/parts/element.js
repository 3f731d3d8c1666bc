/** Return an element of this kind and class, with a text or other elements in it. */
export function element(kind, className = '', inside = [], attributes = {}) {
  const made = document.createElement(kind)
  if (className) made.className = className
  made.append(...(Array.isArray(inside) ? inside : [inside]))
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  return made
}
