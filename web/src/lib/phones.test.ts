import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phoneAccess } from './phones.ts'

const WAYS = {
  'Only this computer': ['http://127.0.0.1:8137', 'http://localhost:8137', 'http://[::1]:8137'],
  'same Wi-Fi': [
    'http://192.168.1.20:8137',
    'http://10.0.0.3',
    'http://172.20.3.4:80',
    'http://mac.local:8137',
    'http://nas',
  ],
  anywhere: ['https://cards.example.org', 'http://172.40.3.4', 'http://93.184.216.34:8137'],
}

for (const [said, origins] of Object.entries(WAYS))
  test(`phones get in, or not: ${said}`, () => {
    for (const origin of origins) assert.match(phoneAccess(origin), new RegExp(said), origin)
  })
