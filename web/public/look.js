/*
 * Runs first, also in browsers too old for the page itself: no newer syntax here.
 *
 * Shows the sentences of index.html if the browser is older than those that the page is built for (vite.config.ts), which
 * differ by light-dark(), and if the page didn't start, because a file is missing or wrong.
 */
;(function () {
  var isOld = !window.CSS || !CSS.supports || !CSS.supports('color', 'light-dark(red, red)')
  window.addEventListener('load', function () {
    var stuck = document.getElementById('stuck')
    document.getElementById('old').hidden = !isOld
    stuck.hidden = document.getElementById('app').children.length > 0
    stuck.querySelector('button').addEventListener('click', function () {
      location.reload()
    })
  })
})()

/* Applies the theme before the first paint. The table and Home are always dark; text pages follow the theme (App.svelte
   has the same list). */
;(function () {
  var root = document.documentElement
  var base = document.currentScript.getAttribute('src').slice(0, -'/look.js'.length)
  var look = null
  try {
    look = JSON.parse(localStorage.getItem('cardhouse.likes')).look
  } catch (_) {
    // Use the device's theme.
  }
  root.dataset.look = look === 'dark' || look === 'light' ? look : 'device'
  if (/^\/(lab|print|make|elements|house|art)(\/|$)/.test(location.pathname.slice(base.length)))
    root.setAttribute('data-paper', '')
})()
