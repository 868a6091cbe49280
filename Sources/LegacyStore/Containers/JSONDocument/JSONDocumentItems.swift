import Foundation

/// The records of a JSON document as items; what cannot be read of it is one more item.
final class JSONDocumentItems: ItemPuller {
    private var walk: JSONDocumentWalk
    private var count = 0

    init(_ reader: ByteReader) {
        walk = JSONDocumentWalk(reader)
    }

    func next() throws(LegacyStoreError) -> LegacyItem? {
        while let part = try walk.next() {
            switch part {
            case .record(let record):
                return item(record.section.service, key: record.key, .json(Data(record.bytes)))
            case .broken(let section, let reason):
                return item(section?.service ?? .mechanism, key: nil, .damaged(reason))
            case .list, .other: continue
            }
        }
        return nil
    }

    private func item(_ service: LegacyService, key: String?, _ payload: LegacyItem.Payload) -> LegacyItem {
        defer { count += 1 }
        return LegacyItem(
            position: .index(count),
            service: service,
            key: key ?? "record \(count + 1)",
            payload: payload
        )
    }
}

extension JSONRecord {
    fileprivate var key: String? {
        section == .deviceToken ? section.rawValue : JSONMembers(bytes).text(of: "id")
    }
}
