/** What whoever runs the house says to all; empty for nothing. At a table it is told, elsewhere it is asked for. */
export const said = $state({ message: '' })
