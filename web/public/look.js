/* Applies the theme before the first paint. The table and Home are always dark; text pages follow the theme (App.svelte
   has the same list). */
{
  const root = document.documentElement
  const base = document.currentScript.getAttribute('src').slice(0, -'/look.js'.length)
  let preferences = null
  try {
    preferences = JSON.parse(localStorage.getItem('cardhouse.likes'))
  } catch {
    // Use the device's theme.
  }
  root.dataset.look = ['dark', 'light'].includes(preferences?.look) ? preferences.look : 'device'
  root.toggleAttribute(
    'data-paper',
    /^\/(lab|print|make|elements|house|art)(\/|$)/.test(location.pathname.slice(base.length)),
  )
}
