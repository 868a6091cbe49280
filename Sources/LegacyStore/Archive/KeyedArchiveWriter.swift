import Foundation
import PushBridgeCore

/// Collects the fields of one object and lays them out as Foundation's keyed archiver does.
struct KeyedArchiveWriter: LegacyFieldWriter {
    let form = LegacyForm.archive
    private var fields: [(key: String, value: PropertyListValue)] = []
    /// The texts among the fields; object 0 is the null object and object 1 the one being built.
    private var texts: [PropertyListValue] = []
    private static let firstText = 2

    /// Writes a text, or the null object for `nil`.
    mutating func write(_ text: String?, for field: LegacyField) {
        guard let text else { return add(.uid(0), for: field) }
        // Not a field of archives, so that it must leave no object behind either.
        guard field.archiveKey != nil else { return }
        add(.uid(Self.firstText + texts.count), for: field)
        texts.append(.string(text))
    }

    mutating func write(_ secret: SharedSecret?, for field: LegacyField) {
        write(secret.map { $0.withUTF8 { $0 } }, for: field)
    }

    mutating func write(_ integer: Int?, for field: LegacyField) {
        if let integer { add(.integer(Int64(integer)), for: field) }
    }

    mutating func write(_ number: Double, for field: LegacyField) {
        add(.real(number), for: field)
    }

    /// Writes a date as seconds since 1970.
    mutating func write(_ date: Date, for field: LegacyField) {
        write(date.timeIntervalSince1970, for: field)
    }

    mutating func write(_ flag: Bool, for field: LegacyField) {
        add(.bool(flag), for: field)
    }

    private mutating func add(_ value: PropertyListValue, for field: LegacyField) {
        if let key = field.archiveKey { fields.append((key, value)) }
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
