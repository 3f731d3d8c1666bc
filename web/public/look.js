/* Before the first paint: which look this address has on this device. The table and Home are dark in any light; what is
   read like paper goes by the theme (App.svelte goes by the same list). */
{
  const root = document.documentElement
  const base = document.currentScript.getAttribute('src').slice(0, -'/look.js'.length)
  let likes = null
  try {
    likes = JSON.parse(localStorage.getItem('cardhouse.likes'))
  } catch {
    // Then it is the device's.
  }
  root.dataset.look = ['dark', 'light'].includes(likes?.look) ? likes.look : 'device'
  root.toggleAttribute(
    'data-paper',
    /^\/(lab|print|make|judge|elements|house)(\/|$)/.test(location.pathname.slice(base.length)),
  )
}
