import Foundation

extension FileManager {
    /// Removes a file or folder if it exists.
    func clear(_ path: String) throws {
        if fileExists(atPath: path) { try removeItem(atPath: path) }
    }
}
