import Foundation
import PushBridgeCore

/// Collects the fields of one object and writes them in the layout of Foundation's keyed archiver.
struct KeyedArchiveWriter: LegacyFieldWriter {
    let form = LegacyForm.archive
    private var fields: [(key: String, value: PropertyListValue)] = []
    /// The strings of the fields; in the archive, they follow object 0 (the null object) and object 1 (the archived
    /// object).
    private var texts: [PropertyListValue] = []
    private static let firstText = 2

    mutating func write(_ value: LegacyFieldValue, for field: LegacyField) {
        guard let key = field.archiveKey else { return }
        fields.append((key, stored(value)))
    }

    private mutating func stored(_ value: LegacyFieldValue) -> PropertyListValue {
        switch value {
        case .null: return .uid(0)
        case .text(let text):
            texts.append(.string(text))
            return .uid(Self.firstText + texts.count - 1)
        case .secret(let secret): return stored(.text(secret.withUTF8 { $0 }))
        case .integer(let integer): return .integer(Int64(integer))
        case .number(let number): return .real(number)
        case .date(let date): return .real(date.timeIntervalSince1970)
        case .flag(let flag): return .bool(flag)
        }
    }

    func bytes(class archiveClass: LegacyArchiveClass) -> Data {
        let classID = Self.firstText + texts.count
        let object = fields + [(KeyedArchiveKey.class.rawValue, .uid(classID))]
        let objects: [PropertyListValue] =
            [.string(KeyedArchive.null), .dictionary(object)] + texts + [archiveClass.description]
        return PropertyListWriter.bytes(
            of: .dictionary([
                (KeyedArchiveKey.archiver.rawValue, .string(KeyedArchive.archiver)),
                (KeyedArchiveKey.version.rawValue, .integer(KeyedArchive.version)),
                (KeyedArchiveKey.top.rawValue, .dictionary([(KeyedArchiveKey.root.rawValue, .uid(1))])),
                (KeyedArchiveKey.objects.rawValue, .array(objects)),
            ])
        )
    }
}

extension LegacyArchiveClass {
    fileprivate var description: PropertyListValue {
        let names = [rawValue] + ancestors.map(\.rawValue)
        return .dictionary([
            (KeyedArchiveKey.className.rawValue, .string(rawValue)),
            (KeyedArchiveKey.ancestors.rawValue, .array(names.map(PropertyListValue.string))),
        ])
    }
}
