import CIndexStore
import Foundation
import PushBridgeCommandLine

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// The toolchain's library that reads index stores; the audit loads it at run time.
struct IndexLibrary {
    /// The path of the library.
    let path: String

    /// The version of the format that the library reads.
    ///
    /// The version is in the name of a folder of the index store: version 5 is in `v5`.
    let formatVersion: index_number
    let openStore: index_open_store
    let closeStore: index_dispose
    let errorText: index_error_text
    let disposeError: index_dispose
    let eachUnit: index_each_unit
    let unitTime: index_time_of

    let openUnit: index_open_named
    let closeUnit: index_dispose
    let isSystemUnit: index_flag_of
    let isModuleUnit: index_flag_of
    let mainFile: index_text_of
    let moduleName: index_text_of
    let eachDependency: index_each
    let dependencyKind: index_kind_of
    let dependencyName: index_text_of
    let dependencyPath: index_text_of
    let isSystemDependency: index_flag_of

    let openRecord: index_open_named
    let closeRecord: index_dispose
    let eachSymbol: index_each_symbol
    let eachOccurrence: index_each
    let symbolKind: index_kind_of
    let symbolSubkind: index_kind_of
    let symbolName: index_text_of
    let symbolUSR: index_text_of
    let occurrenceSymbol: @convention(c) (index_object?) -> index_object?
    let occurrenceRoles: index_roles_of
    let occurrencePlace: index_place_of
    let eachRelation: index_each
    let relationRoles: index_roles_of
    let relationSymbol: @convention(c) (index_object?) -> index_object?

    /// Loads the library.
    /// - Parameter path: The path of the library; `nil` uses the toolchain of the `swiftc` on the `PATH`.
    /// - Throws: ``CommandFailure`` if the library is missing or lacks a function.
    init(at path: String?) throws(CommandFailure) {
        let path = if let path { path } else { try Self.pathInToolchain() }
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            throw Self.failure("\(path) cannot be loaded: \(dlerror().map { String(cString: $0) } ?? "")")
        }
        func function<Function>(_ name: String) throws(CommandFailure) -> Function {
            guard let address = dlsym(handle, "indexstore_\(name)") else {
                throw Self.failure("\(path) is not an index library: it has no indexstore_\(name)")
            }
            return unsafeBitCast(address, to: Function.self)
        }
        self.path = path
        formatVersion = try function("format_version")
        openStore = try function("store_create")
        closeStore = try function("store_dispose")
        errorText = try function("error_get_description")
        disposeError = try function("error_dispose")
        eachUnit = try function("store_units_apply_f")
        unitTime = try function("store_get_unit_modification_time")
        openUnit = try function("unit_reader_create")
        closeUnit = try function("unit_reader_dispose")
        isSystemUnit = try function("unit_reader_is_system_unit")
        isModuleUnit = try function("unit_reader_is_module_unit")
        mainFile = try function("unit_reader_get_main_file")
        moduleName = try function("unit_reader_get_module_name")
        eachDependency = try function("unit_reader_dependencies_apply_f")
        dependencyKind = try function("unit_dependency_get_kind")
        dependencyName = try function("unit_dependency_get_name")
        dependencyPath = try function("unit_dependency_get_filepath")
        isSystemDependency = try function("unit_dependency_is_system")
        openRecord = try function("record_reader_create")
        closeRecord = try function("record_reader_dispose")
        eachSymbol = try function("record_reader_symbols_apply_f")
        eachOccurrence = try function("record_reader_occurrences_apply_f")
        symbolKind = try function("symbol_get_kind")
        symbolSubkind = try function("symbol_get_subkind")
        symbolName = try function("symbol_get_name")
        symbolUSR = try function("symbol_get_usr")
        occurrenceSymbol = try function("occurrence_get_symbol")
        occurrenceRoles = try function("occurrence_get_roles")
        occurrencePlace = try function("occurrence_get_line_col")
        eachRelation = try function("occurrence_relations_apply_f")
        relationRoles = try function("symbol_relation_get_roles")
        relationSymbol = try function("symbol_relation_get_symbol")
    }

    /// Returns the path of the library in the toolchain that contains the `swiftc` on the `PATH`.
    ///
    /// The search also works with swiftly and with Xcode's `xcode-select`.
    private static func pathInToolchain() throws(CommandFailure) -> String {
        let advice = "name the library with --library"
        guard let info = output(of: ["swiftc", "-print-target-info"]) else {
            throw failure(
                "swiftc, whose toolchain contains the index library, is not on the PATH; \(advice)"
            )
        }
        struct TargetInfo: Decodable {
            struct Paths: Decodable {
                let runtimeResourcePath: String
            }
            let paths: Paths
        }
        do {
            let resources = try JSONDecoder().decode(TargetInfo.self, from: info).paths.runtimeResourcePath
            let folder = URL(fileURLWithPath: resources).deletingLastPathComponent()
            let candidates = ["libIndexStore.so", "libIndexStore.dylib"].map(folder.appendingPathComponent)
            if let found = candidates.first(where: { FileManager.default.fileExists(atPath: $0.path) }) {
                return found.path
            }
            throw failure("the toolchain has no libIndexStore in \(folder.path); \(advice)")
        } catch let error as CommandFailure {
            throw error
        } catch {
            throw failure("swiftc does not report the path of its toolchain; \(advice)")
        }
    }

    private static func output(of command: [String]) -> Data? {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
            let data = try pipe.fileHandleForReading.readToEnd()
            process.waitUntilExit()
            return process.terminationStatus == 0 ? data : nil
        } catch {
            return nil
        }
    }

    private static func failure(_ reason: String) -> CommandFailure {
        CommandFailure(status: .unavailable, sentence: "The index cannot be read: \(reason).")
    }
}

extension IndexLibrary {
    /// Calls `body` with each object that a function of the library passes to a visitor.
    static func visit(
        _ call: (UnsafeMutableRawPointer, @escaping index_object_visitor) -> Bool,
        _ body: (index_object) -> Void
    ) {
        withoutActuallyEscaping(body) { body in
            let box = Visitor(body)
            _ = call(Unmanaged.passUnretained(box).toOpaque()) { context, object in
                if let context, let object {
                    Unmanaged<Visitor<index_object>>.fromOpaque(context).takeUnretainedValue().body(object)
                }
                return true
            }
        }
    }

    /// Calls `body` with each text that a function of the library passes to a visitor.
    static func visitTexts(
        _ call: (UnsafeMutableRawPointer, @escaping index_text_visitor) -> Bool,
        _ body: (String) -> Void
    ) {
        withoutActuallyEscaping(body) { body in
            let box = Visitor<index_text> { body($0.string) }
            _ = call(Unmanaged.passUnretained(box).toOpaque()) { context, text in
                if let context {
                    Unmanaged<Visitor<index_text>>.fromOpaque(context).takeUnretainedValue().body(text)
                }
                return true
            }
        }
    }

    /// Passes a closure through the context pointer of C functions.
    private final class Visitor<Element> {
        let body: (Element) -> Void
        init(_ body: @escaping (Element) -> Void) { self.body = body }
    }
}

extension index_text {
    /// A copy of the text.
    var string: String {
        String(decoding: UnsafeRawBufferPointer(start: start, count: length), as: UTF8.self)
    }

    /// Returns whether the text contains another text, which must not be empty.
    func contains(_ other: [CChar]) -> Bool { index_text_contains(self, other, other.count) }
}
