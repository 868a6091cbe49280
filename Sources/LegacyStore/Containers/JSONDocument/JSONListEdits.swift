/// What to cut from one JSON list so that no comma is left over.
struct JSONListEdits {
    // Where the first elements begin, if all so far were removed.
    private var removedFrom: Int?
    private var hasKept = false
    private var end = 0

    /// Takes the next element; answers what can be cut for certain.
    mutating func take(_ element: Range<Int>, isRemoved: Bool) -> [ByteEdit] {
        defer { end = element.upperBound }
        guard isRemoved else {
            defer { (hasKept, removedFrom) = (true, nil) }
            return removedFrom.map { [ByteEdit($0..<element.lowerBound)] } ?? []
        }
        if hasKept { return [ByteEdit(end..<element.upperBound)] }
        removedFrom = removedFrom ?? element.lowerBound
        return []
    }

    /// Ends the list; answers what else can be cut.
    func finish() -> [ByteEdit] {
        removedFrom.map { [ByteEdit($0..<end)] } ?? []
    }
}
