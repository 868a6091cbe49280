/// Names an object of a property list by its number, which may be one that does not exist.
struct PropertyListReference: Hashable, Sendable {
    let index: UInt64
}
