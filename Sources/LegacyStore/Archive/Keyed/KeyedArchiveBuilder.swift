import Foundation
import PushBridgeCore

/// Collects the fields of one object and lays them out as Foundation's keyed archiver does.
struct KeyedArchiveBuilder {
    private var fields: [(key: String, value: PropertyListValue)] = []
    /// The texts among the fields; object 0 is the null object and object 1 the one being built.
    private var texts: [PropertyListValue] = []
    private static let firstText = 2

    /// Adds a text, or the null object for `nil`.
    mutating func add(_ text: String?, for key: LegacyArchiveKey) {
        guard let text else { return fields.append((key.rawValue, .uid(0))) }
        fields.append((key.rawValue, .uid(Self.firstText + texts.count)))
        texts.append(.string(text))
    }

    /// Adds the text of a secret, or the null object for `nil`.
    mutating func add(_ secret: SharedSecret?, for key: LegacyArchiveKey) {
        add(secret.map { $0.withUTF8 { $0 } }, for: key)
    }

    /// Adds an integer, or nothing for `nil`.
    mutating func add(_ integer: Int?, for key: LegacyArchiveKey) {
        guard let integer else { return }
        fields.append((key.rawValue, .integer(Int64(integer))))
    }

    /// Adds a real number.
    mutating func add(_ number: Double, for key: LegacyArchiveKey) {
        fields.append((key.rawValue, .real(number)))
    }

    /// Adds a date as seconds since 1970.
    mutating func add(_ date: Date, for key: LegacyArchiveKey) {
        add(date.timeIntervalSince1970, for: key)
    }

    /// Adds a truth value.
    mutating func add(_ flag: Bool, for key: LegacyArchiveKey) {
        fields.append((key.rawValue, .bool(flag)))
    }

    /// The archive of the object.
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
    /// What an archive says about the class of its object.
    fileprivate var description: PropertyListValue {
        let names = [rawValue] + ancestors.map(\.rawValue)
        return .dictionary([
            (KeyedArchiveKey.className.rawValue, .string(rawValue)),
            (KeyedArchiveKey.ancestors.rawValue, .array(names.map(PropertyListValue.string))),
        ])
    }
}
