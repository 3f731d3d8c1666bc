import { mount } from 'svelte'
import './app.css'
import App from './App.svelte'
import { applyLikes } from './lib/likes.svelte.ts'

applyLikes()
mount(App, { target: document.getElementById('app')! })
