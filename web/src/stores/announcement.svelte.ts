/** The server notice; empty for none. At a table the socket updates it, elsewhere the page polls. */
export const announcement = $state({ message: '' })
