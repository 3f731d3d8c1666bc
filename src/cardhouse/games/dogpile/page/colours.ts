/**
 * The colours of eight seats, the same as the page's in the dark theme (--seat-0 ...): light enough for dark letters.
 */
export const COLOURS = ['#8ecbf5', '#f5a08f', '#c3dd7a', '#c9b6f7', '#f3d565', '#74d7c5', '#f5a9d2', '#d8c6a8']
