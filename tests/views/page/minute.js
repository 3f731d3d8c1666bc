export default {
  contract: 1,
  pictures: ['9 > 4', 'A'].map((drawn) => (place) => place.append(drawn)),
}
