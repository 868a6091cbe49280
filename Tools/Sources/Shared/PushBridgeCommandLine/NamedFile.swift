public import Foundation

extension Data {
    /// Reads a file that the user named.
    /// - Parameter file: The path of the file.
    /// - Throws: ``CommandFailure`` with the reason if the file cannot be read.
    public init(named file: String) throws(CommandFailure) {
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
        do {
            try self.init(contentsOf: URL(fileURLWithPath: file))
        } catch {
            let fault = isFolder.boolValue ? "is a folder" : "cannot be read"
            let sentence = isThere ? "\(file) \(fault)." : "There is no file \(file)."
            throw CommandFailure(status: .unreadableInput, sentence: sentence)
        }
    }
}

/// Returns the value of an option that may be secret: the argument itself or the content of a file.
///
/// An argument that begins with `@` names a file.
package func secretArgument(_ argument: String) throws -> String {
    guard argument.hasPrefix("@") else { return argument }
    let file = try Data(named: String(argument.dropFirst()))
    return String(decoding: file, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
}
