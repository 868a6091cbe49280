import Foundation
import PushBridgeAPNs
import PushBridgeCommandLine
import PushBridgeCore

/// The stand-in's certificates and keys.
///
/// The files are either the user's files or new files in a temporary folder.
///
/// The folder is locked while the stand-in runs. An unlocked folder therefore belongs to a stand-in that was
/// killed, and the next stand-in removes it.
final class StandInFiles {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("\(APNsAccess.standInFolder)\(UUID().uuidString)")
    private var lock: Int32?

    deinit {
        if let lock { close(lock) }
    }

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

    /// Returns the provider's certificate and its file.
    ///
    /// If this method created the private key, it also returns the file of the key.
    func clientCertificate(
        _ file: String?,
        for bundles: [String],
        in environment: APNsEnvironment
    ) throws -> (PushCertificate, file: String, keyFile: String?) {
        if let file {
            let pem = String(decoding: try Data(named: file), as: UTF8.self)
            do {
                return (try PushCertificate(pem: pem), file, nil)
            } catch {
                throw CommandFailure(
                    status: .unreadableInput,
                    sentence: "\(file) has no certificate in PEM."
                )
            }
        }
        let new = try PushCertificate.make(bundles: bundles, environments: [environment])
        let place = try write(new.pem, "client.pem")
        return (try PushCertificate(pem: new.pem), place, try write(new.keyPEM, "client-key.pem"))
    }

    /// Removes the folder, or reports that it still exists.
    func remove() { Self.remove(folder) }

    /// Removes the folders of stand-ins that were killed, and reports each folder.
    static func removeWhatKilledOnesLeft() {
        let files = FileManager.default
        let place = files.temporaryDirectory
        let names: [String]
        do {
            names = try files.contentsOfDirectory(atPath: place.path)
        } catch {
            // The failure is ignored: a folder that cannot be listed usually cannot be written either, and the first
            // write reports this.
            return
        }
        for name in names where name.hasPrefix(APNsAccess.standInFolder) {
            let folder = place.appendingPathComponent(name)
            // The loop skips folders of other users, which cannot be opened, and folders of running stand-ins, which
            // are locked.
            let lock = open(folder.appendingPathComponent(lockName).path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
            guard lock >= 0 else { continue }
            defer { close(lock) }
            guard flock(lock, LOCK_EX | LOCK_NB) == 0, remove(folder) else { continue }
            Terminal.diagnose(
                "Removed \(folder.path.visible), the keys that a killed stand-in left behind.\n"
            )
        }
    }

    private static let lockName = "lock"

    @discardableResult
    private static func remove(_ folder: URL) -> Bool {
        guard FileManager.default.fileExists(atPath: folder.path) else { return true }
        do {
            try FileManager.default.removeItem(at: folder)
            return true
        } catch {
            Terminal.diagnose(
                "\(folder.path.visible) could not be removed. Remove it, because it contains private keys.\n"
            )
            return false
        }
    }

    /// Writes a file that only the user may read.
    private func write(_ text: String, _ name: String) throws -> String {
        try makeFolder()
        let place = folder.appendingPathComponent(name).path
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: place, contents: Data(text.utf8), attributes: attributes)
        else {
            throw CommandFailure(status: .unwritableOutput, sentence: "\(place) cannot be written.")
        }
        return place
    }

    /// Creates the folder under a hidden name, locks it, and then renames it.
    ///
    /// Other stand-ins never see the folder under its final name without a lock, so they do not remove it.
    private func makeFolder() throws {
        guard lock == nil else { return }
        let files = FileManager.default
        let own: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        let new = folder.deletingLastPathComponent().appendingPathComponent(".\(folder.lastPathComponent)")
        try files.createDirectory(at: new, withIntermediateDirectories: true, attributes: own)
        let place = new.appendingPathComponent(Self.lockName).path
        let descriptor = open(place, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure(status: .unwritableOutput, sentence: "\(place) cannot be written.")
        }
        lock = descriptor
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw CommandFailure(status: .unwritableOutput, sentence: "\(place) cannot be locked.")
        }
        try files.moveItem(at: new, to: folder)
    }
}
