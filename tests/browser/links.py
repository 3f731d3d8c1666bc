"""Links as a device has them: a page takes their secrets out of its address."""

from tests.browser.people import Person

LINK = """() => {
  const [, kind, id] = location.pathname.split('/').slice(-3)
  const saved = (name) => JSON.parse(localStorage.getItem(`cardhouse.${name}`) ?? '[]')
  const found = kind === 'c'
    ? saved('campaigns').find((one) => one.id === id)
    : saved('seats').find((one) => one.table === id && one.seat === history.state?.seat)
  return `${location.href}#${found.token}`
}"""


def link_of(person: Person) -> str:
    """The link, with its secret, of the seat or the campaign that a page shows."""
    person.page.wait_for_function("() => !location.hash")
    link: str = person.page.evaluate(LINK)
    return link
