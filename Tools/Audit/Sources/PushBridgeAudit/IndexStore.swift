import CIndexStore
import Foundation
import PushBridgeCommandLine

/// An index store of a compiler: units describe the compiled files, and records describe the symbols in them.
final class IndexStore {
    /// The path of the store.
    let path: String
    private let library: IndexLibrary
    private let store: index_object

    /// Opens a store.
    /// - Parameters:
    ///   - path: The folder that contains the folder of the format's version, such as `v5`.
    ///   - library: The library that reads the store.
    /// - Throws: ``CommandFailure`` if the store cannot be read, or if the library does not support its format.
    init(at path: String, with library: IndexLibrary) throws(CommandFailure) {
        let folder = "v\(library.formatVersion())"
        let units = "\(path)/\(folder)/units"
        guard FileManager.default.fileExists(atPath: units) else {
            throw CommandFailure(
                status: .unreadableInput,
                sentence:
                    "The index \(path) has a different version from \(folder), which \(library.path) reads: "
                    + "with --library, name the index library of the toolchain that built the app."
            )
        }
        guard FileManager.default.isReadableFile(atPath: units) else {
            throw CommandFailure(
                status: .unreadableInput,
                sentence: "The index \(path) cannot be read: you do not have permission to read \(units)."
            )
        }
        var error: index_object?
        guard let store = library.openStore(path, &error) else {
            throw Self.failure(path, library.takeText(of: error) ?? "the library gives no reason")
        }
        self.path = path
        self.library = library
        self.store = store
    }

    deinit {
        library.closeStore(store)
    }

    /// A compiled file.
    struct Unit {
        let name: String
        let mainFile: String
        let module: String
        let time: Date
        /// The records of the file and of the headers it includes, each with its file.
        let records: [(name: String, file: String)]
    }

    /// Returns the units of sources, without the units of modules and of the system.
    func units() throws(CommandFailure) -> [Unit] {
        var names: [String] = []
        IndexLibrary.visitTexts({ library.eachUnit(store, 1, $0, $1) }) { names.append($0) }
        var units: [Unit] = []
        for name in names {
            if let unit = try unit(name) { units.append(unit) }
        }
        return units
    }

    private func unit(_ name: String) throws(CommandFailure) -> Unit? {
        CrashSentence.set(Self.damaged("the unit \(name)", in: path))
        var error: index_object?
        guard let reader = library.openUnit(store, name, &error) else {
            // A build may have replaced the unit since the names were read.
            throw Self.failure(path, library.takeText(of: error) ?? "the unit \(name) cannot be read")
        }
        defer { library.closeUnit(reader) }
        let file = library.mainFile(reader).string
        guard !library.isSystemUnit(reader), !library.isModuleUnit(reader) else { return nil }
        guard !file.isEmpty else { throw Self.failure(path, "the unit \(name) names no source") }
        var (seconds, nanoseconds) = (Int64(), Int64())
        _ = library.unitTime(store, name, &seconds, &nanoseconds, nil)
        var records: [(String, String)] = []
        IndexLibrary.visit({ library.eachDependency(reader, $0, $1) }) { part in
            guard library.dependencyKind(part) == DependencyKind.record, !library.isSystemDependency(part)
            else { return }
            records.append((library.dependencyName(part).string, library.dependencyPath(part).string))
        }
        return Unit(
            name: name,
            mainFile: file,
            module: library.moduleName(reader).string,
            time: Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1e9),
            records: records
        )
    }

    private enum DependencyKind {
        static let record: UInt32 = 2
    }

    /// Reads the occurrences of a record in source order.
    /// - Parameters:
    ///   - record: The record's name.
    ///   - file: The record's file, for the error message.
    ///   - isWanted: Returns whether the audit needs a symbol. If the record has no symbol that the audit needs, `body`
    ///     is not called.
    ///   - body: Called with each occurrence.
    /// - Throws: ``CommandFailure`` if the record cannot be read.
    func read(
        _ record: String,
        of file: String,
        ifAny isWanted: (IndexSymbol) -> Bool,
        _ body: (IndexOccurrence) -> Void
    ) throws(CommandFailure) {
        CrashSentence.set(Self.damaged("the record of \(file)", in: path))
        var error: index_object?
        guard let reader = library.openRecord(store, record, &error) else {
            _ = library.takeText(of: error)
            throw Self.failure(path, "the record of \(file) cannot be read")
        }
        defer { library.closeRecord(reader) }
        var isRead = false
        IndexLibrary.visit({ library.eachSymbol(reader, false, $0, $1) }) { symbol in
            isRead = isRead || isWanted(IndexSymbol(object: symbol, library: library))
        }
        guard isRead else { return }
        IndexLibrary.visit({ library.eachOccurrence(reader, $0, $1) }) { occurrence in
            body(IndexOccurrence(object: occurrence, library: library))
        }
    }

    private static func failure(_ path: String, _ reason: String) -> CommandFailure {
        CommandFailure(
            status: .unreadableInput,
            sentence: "The index \(path) is damaged or not an index: \(reason). Build the app again."
        )
    }

    private static func damaged(_ part: String, in path: String) -> String {
        failure(path, "\(part) cannot be read").sentence
    }
}

/// A symbol of a record; valid only while the record is being read.
struct IndexSymbol {
    let object: index_object
    let library: IndexLibrary

    var kind: UInt32 { library.symbolKind(object) }
    var subkind: UInt32 { library.symbolSubkind(object) }
    var name: String { library.symbolName(object).string }
    var usr: index_text { library.symbolUSR(object) }

    /// The numbers of the index's kinds and subkinds that the audit distinguishes.
    enum Kind {
        static let module: UInt32 = 1
        static let types: ClosedRange<UInt32> = 5...8
        static let `extension`: UInt32 = 9
        static let typeAlias: UInt32 = 11
        static let parameter: UInt32 = 25
        static let associatedType: UInt32 = 1012
        static let genericParameter: UInt32 = 1013
    }

    /// Whether the symbol is a getter, a setter or another accessor of a property.
    var isAccessor: Bool { [3, 4].contains(subkind) || 1000...1003 ~= subkind || 1014...1018 ~= subkind }
    /// Whether the symbol is a type alias, but not an associated type or a generic parameter.
    var isTypeAlias: Bool {
        kind == Kind.typeAlias && ![Kind.associatedType, Kind.genericParameter].contains(subkind)
    }
}

/// A place that names a symbol; valid only while the record is being read.
struct IndexOccurrence {
    let object: index_object
    let library: IndexLibrary

    var roles: IndexRoles { IndexRoles(rawValue: library.occurrenceRoles(object)) }

    var symbol: IndexSymbol? {
        library.occurrenceSymbol(object).map { IndexSymbol(object: $0, library: library) }
    }

    var place: (line: UInt32, column: UInt32) {
        var (line, column) = (UInt32(), UInt32())
        library.occurrencePlace(object, &line, &column)
        return (line, column)
    }

    var relations: [(roles: IndexRoles, symbol: IndexSymbol)] {
        var relations: [(IndexRoles, IndexSymbol)] = []
        IndexLibrary.visit({ library.eachRelation(object, $0, $1) }) { relation in
            guard let symbol = library.relationSymbol(relation) else { return }
            let roles = IndexRoles(rawValue: library.relationRoles(relation))
            relations.append((roles, IndexSymbol(object: symbol, library: library)))
        }
        return relations
    }
}

/// How a place uses a symbol, and the relations of symbols, as bits of the index's format.
struct IndexRoles: OptionSet {
    let rawValue: UInt64

    static let declaration = IndexRoles(rawValue: 1 << 0)
    static let definition = IndexRoles(rawValue: 1 << 1)
    static let reference = IndexRoles(rawValue: 1 << 2)
    static let read = IndexRoles(rawValue: 1 << 3)
    static let write = IndexRoles(rawValue: 1 << 4)
    static let call = IndexRoles(rawValue: 1 << 5)
    static let implicit = IndexRoles(rawValue: 1 << 8)
    static let baseOf = IndexRoles(rawValue: 1 << 10)
    static let overrideOf = IndexRoles(rawValue: 1 << 11)
    static let calledBy = IndexRoles(rawValue: 1 << 13)
    static let extendedBy = IndexRoles(rawValue: 1 << 14)
    static let containedBy = IndexRoles(rawValue: 1 << 16)
}

extension IndexLibrary {
    /// Returns the text of an error, and disposes of the error; `nil` if there is no error.
    fileprivate func takeText(of error: index_object?) -> String? {
        guard let error else { return nil }
        defer { disposeError(error) }
        return errorText(error).map { String(cString: $0) }
    }
}
