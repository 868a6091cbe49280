import Foundation

/// A temporary folder that only this user may enter; it goes away with its owner.
final class PrivateFolder {
    let url: URL

    init() throws(LegacyStoreError) {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("pushbridge-XXXXXX")
        var template = Array(place.path.utf8CString)
        guard mkdtemp(&template) != nil else { throw .unreadable(place, FileFault(errno)) }
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        url = URL(fileURLWithPath: path, isDirectory: true)
    }

    deinit {
        do {
            try FileManager.default.removeItem(at: url)
        } catch {
            // The system clears its temporary folder away in time.
        }
    }

    /// Copies a file, for this user only.
    func copy(_ original: URL, as name: String) throws(LegacyStoreError) {
        let reader = try ByteReader(original)
        let place = url.appendingPathComponent(name)
        let copy = try copying(original) { () throws(FileFault) in try OpenFile(creating: place, mode: 0o600)
        }
        while true {
            let piece = try reader.piece(upTo: .max)
            guard !piece.isEmpty else { return }
            try copying(original) { () throws(FileFault) in try copy.write(piece) }
        }
    }

    private func copying<Value>(
        _ original: URL,
        _ body: () throws(FileFault) -> Value
    ) throws(LegacyStoreError) -> Value {
        do {
            return try body()
        } catch {
            throw .unreadable(
                "\(original.lastPathComponent) cannot be copied to be read: \(error.explanation)."
            )
        }
    }
}
