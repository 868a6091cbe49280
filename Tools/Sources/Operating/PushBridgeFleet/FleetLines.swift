import Foundation
import PushBridgeCommandLine

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#endif

/// The lines of a file of events, plain or compressed with gzip.
public struct FleetLines {
    /// The maximum length of a line in bytes; an event has fewer than a thousand.
    static let longest = 1 << 20
    private static let chunk = 1 << 20

    private let path: String

    /// Creates a reader for the file at a path; `-` is standard input.
    /// - Parameter path: The path.
    public init(at path: String) {
        self.path = path
    }

    /// Reads the lines of the file.
    /// - Parameter body: Receives each line that is not blank, and its number, starting at 1; an empty text replaces
    ///   an overlong line.
    /// - Throws: ``CommandFailure`` if the file cannot be read, and the errors of `body`.
    public func forEach(_ body: (_ number: Int, _ line: String) throws -> Void) throws {
        let handle = try open()
        let start = try handle.read(upToCount: Self.chunk) ?? Data()
        guard start.starts(with: [0x1F, 0x8B]) else {
            return try split(start, rest: handle, body)
        }
        guard path != "-" else {
            throw CommandFailure(
                status: .usage,
                sentence: "Standard input is compressed; decompress it with gzip -dc."
            )
        }
        try decompressed(body)
    }

    private func open() throws -> FileHandle {
        if path == "-" { return .standardInput }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CommandFailure(status: .unreadableInput, sentence: "There is no file \(path).")
        }
        guard !isFolder.boolValue, let handle = FileHandle(forReadingAtPath: path) else {
            let fault = isFolder.boolValue ? "is a folder; name the files in it" : "cannot be read"
            throw CommandFailure(status: .unreadableInput, sentence: "\(path) \(fault).")
        }
        return handle
    }

    /// Reads the output of the system's gzip for the file.
    private func decompressed(_ body: (Int, String) throws -> Void) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc"]
        process.standardInput = try open()
        process.standardError = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let result = Result { try split(Data(), rest: pipe.fileHandleForReading, body) }
        if case .failure = result { process.terminate() }
        process.waitUntilExit()
        try result.get()
        switch process.terminationStatus {
        // Status 2 of gzip is a warning, for example about bytes after the end.
        case 0, 2: return
        case 127:
            throw CommandFailure(
                status: .unavailable,
                sentence: "\(path) is compressed, and gzip is not installed."
            )
        default:
            throw CommandFailure(
                status: .unreadableInput,
                sentence:
                    "\(path) is a damaged gzip file: download it again, or extract the readable part with gzip -dc."
            )
        }
    }

    private func split(
        _ start: Data,
        rest handle: FileHandle,
        _ body: (Int, String) throws -> Void
    ) throws {
        var number = 0
        var isTooLong = false
        var open = Data()
        func end(_ line: Data) throws {
            number += 1
            defer { isTooLong = false }
            if isTooLong || line.count > Self.longest { return try body(number, "") }
            let text = String(decoding: line, as: UTF8.self)
            let isBlank = text.allSatisfy(\.isWhitespace)
            if !isBlank {
                try body(number, number == 1 && text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text)
            }
        }
        var chunk = start
        if chunk.isEmpty { chunk = try read(handle) }
        while !chunk.isEmpty {
            var place = chunk.startIndex
            while let next = chunk.firstNewline(from: place) {
                if open.isEmpty {
                    try end(chunk[place..<next])
                } else {
                    open.append(chunk[place..<next])
                    try end(open)
                    open = Data()
                }
                place = next + 1
            }
            open.append(chunk[place...])
            if open.count > Self.longest { (isTooLong, open) = (true, Data()) }
            chunk = try read(handle)
        }
        if !open.isEmpty || isTooLong { try end(open) }
    }

    private func read(_ handle: FileHandle) throws -> Data {
        do {
            return try handle.read(upToCount: Self.chunk) ?? Data()
        } catch {
            throw CommandFailure(status: .unreadableInput, sentence: "\(path) cannot be read to its end.")
        }
    }
}

extension Data {
    /// Returns the index of the next newline from `start` on; `nil` if there is none.
    fileprivate func firstNewline(from start: Index) -> Index? {
        withUnsafeBytes { bytes -> Index? in
            guard let base = bytes.baseAddress, start < endIndex else { return nil }
            let offset = start - startIndex
            guard let found = memchr(base + offset, 0x0A, count - offset) else { return nil }
            return startIndex + base.distance(to: UnsafeRawPointer(found))
        }
    }
}
