/// The items of JSON lines, with the lines they come from.
final class JSONLinesItems: ItemPuller {
    private var walk: LineWalk
    private var count = 0

    init(_ reader: ByteReader) {
        walk = LineWalk(reader)
    }

    func next() throws(LegacyStoreError) -> LegacyItem? {
        try nextLine()?.item
    }

    /// The next item and where its line lies; lines of other services and blank ones are passed over.
    func nextLine() throws(LegacyStoreError) -> (item: LegacyItem, extent: Range<Int>)? {
        while let line = try walk.next() {
            guard !line.isBlank, let item = item(line) else { continue }
            count += 1
            return (item, line.extent)
        }
        return nil
    }

    private func item(_ line: LineWalk.Line) -> LegacyItem? {
        guard let bytes = line.bytes else { return damaged(line, "The line is longer than 16 MB.") }
        guard let parsed = KeychainLine(bytes) else {
            return damaged(line, "The line is not a keychain item in JSON.")
        }
        return parsed.service.map { service in
            LegacyItem(
                position: .index(count),
                service: service.kind,
                key: parsed.key,
                accessGroup: parsed.accessGroup,
                payload: parsed.payload(in: service)
            )
        }
    }

    private func damaged(_ line: LineWalk.Line, _ reason: String) -> LegacyItem {
        LegacyItem(
            position: .index(count),
            service: .mechanism,
            key: "line \(line.number)",
            payload: .damaged(reason)
        )
    }
}
