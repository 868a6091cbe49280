package import Foundation

/// A temporary folder that only this user can access.
///
/// The folder is removed when this object is deallocated.
package final class PrivateFolder {
    package let url: URL

    package init() throws(SystemFailure) {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("pushbridge-XXXXXX")
        var template = Array(place.path.utf8CString)
        guard mkdtemp(&template) != nil else { throw .last }
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        url = URL(fileURLWithPath: path, isDirectory: true)
    }

    deinit {
        do {
            try FileManager.default.removeItem(at: url)
        } catch {
            // If the folder cannot be removed now, the system removes it later, because it is a temporary
            // folder.
        }
    }

    package func copy(_ original: URL, as name: String) throws(SystemFailure) {
        let reader = try ByteReader(original)
        let copy = try OpenFile(making: url.appendingPathComponent(name).path)
        while true {
            let piece = try reader.piece()
            guard !piece.isEmpty else { return }
            try copy.write(piece)
        }
    }
}
