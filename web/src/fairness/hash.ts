/** SHA-256 and HMAC. The browser's own need HTTPS, which a server at home doesn't have. */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/** SHA-256 of a text in UTF-8, in hex. */
export const hashOf = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)))

/** SHA-256 of bytes in hex, in hex. */
export const hashOfHex = (bytes: string): string => bytesToHex(sha256(hexToBytes(bytes)))

/** HMAC-SHA-256 of a text in UTF-8, with a key in hex, in hex. */
export const keyed = (key: string, text: string): string => bytesToHex(hmac(sha256, hexToBytes(key), utf8ToBytes(text)))

/** Return 32 random bytes in hex. */
export const newSecret = (): string => bytesToHex(crypto.getRandomValues(new Uint8Array(32)))
