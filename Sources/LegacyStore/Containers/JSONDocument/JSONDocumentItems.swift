import Foundation

/// The records of a JSON document as items; what cannot be read of it is one more item.
final class JSONDocumentItems: ItemPuller {
    private var walk: JSONDocumentWalk
    private let isExported: Bool
    private var count = 0

    /// Reads a migration export if `isExported`, else a legacy JSON document.
    init(_ reader: ByteReader, isExported: Bool = false) {
        self.isExported = isExported
        walk = JSONDocumentWalk(reader)
    }

    func next() throws(LegacyStoreError) -> LegacyItem? {
        while let part = try walk.next() {
            switch part {
            case .record(let record):
                defer { count += 1 }
                return record.item(at: count, isExported: isExported)
            case .broken(let section, let reason):
                return broken(section?.service ?? .mechanism, .damaged(reason))
            case .list, .other: continue
            }
        }
        return nil
    }

    private func broken(_ service: LegacyService, _ payload: LegacyItem.Payload) -> LegacyItem {
        LegacyItem(
            position: .index(count),
            service: service,
            key: "record \(count + 1)",
            payload: payload
        )
    }
}

extension JSONRecord {
    /// The record as the item of this number.
    func item(at index: Int, isExported: Bool) -> LegacyItem {
        LegacyItem(
            position: .index(index),
            service: service,
            key: key ?? "record \(index + 1)",
            payload: isOfNewSDK
                ? .newSDK(Data(bytes)) : isExported ? .exportedJSON(Data(bytes)) : .json(Data(bytes))
        )
    }

    private var key: String? {
        guard section != .deviceToken else { return section.rawValue }
        let members = JSONMembers(bytes)
        // In a damaged record the id may be any text, even the secret.
        let secrets = ["secret", "sharedSecret"].compactMap { members.text(of: $0) }
        return members.text(of: "id").flatMap { secrets.contains($0) ? nil : $0 }
    }
}
