export { default } from '../../hackjack/page/characters.ts'
