import Foundation
import PushBridgeAPNs
import PushBridgeCommandLine

/// The stand-in's certificate and keys: those of its user, or new ones in a folder of their own.
struct StandInFiles {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("pushbridge-apns-\(UUID().uuidString)")

    func certificate(_ certificate: String?, _ key: String?) throws -> (file: String, keyFile: String) {
        if let certificate, let key { return (certificate, key) }
        let new = try APNsCertificate()
        return (try write(new.pem, "certificate.pem"), try write(new.keyPEM, "certificate-key.pem"))
    }

    func key(_ file: String?, keyId: String, teamId: String) throws -> (ProviderKey, file: String) {
        if let file { return (try ProviderKey(file: file, keyId: keyId, teamId: teamId), file) }
        let new = ProviderKey(keyId: keyId, teamId: teamId)
        return (new, try write(new.pem, "AuthKey_\(keyId).p8"))
    }

    /// Removes what was written, or says that it is still there.
    func remove() {
        guard FileManager.default.fileExists(atPath: folder.path) else { return }
        do {
            try FileManager.default.removeItem(at: folder)
        } catch {
            Terminal.diagnose("\(folder.path.visible) was not removed, and holds keys.\n")
        }
    }

    /// Writes what only the user may read.
    private func write(_ text: String, _ name: String) throws -> String {
        let place = folder.appendingPathComponent(name).path
        let own: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        let files = FileManager.default
        try files.createDirectory(at: folder, withIntermediateDirectories: true, attributes: own)
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard files.createFile(atPath: place, contents: Data(text.utf8), attributes: attributes) else {
            throw CommandFailure(status: .unwritableOutput, sentence: "\(place) cannot be written.")
        }
        return place
    }
}
