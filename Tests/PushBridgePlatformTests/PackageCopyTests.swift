import Foundation
import PushBridgePlatform
import Testing

/// Two copies of the package in one process are detected.
@Suite("Copies of the package")
struct PackageCopyTests {
    @Test func aSecondCopyIsReported() {
        let center = NotificationCenter()
        let (this, other) = (PackageCopy(identity: 1, at: center), PackageCopy(identity: 2, at: center))
        #expect(this.register() == nil)
        #expect(this.register() == nil)
        #expect(other.register()?.contains("two copies of PushBridge") == true)
        #expect(this.register()?.contains("two copies of PushBridge") == true)
    }

    /// If two copies of the package start at the same moment, one copy reports the other.
    ///
    /// The second copy starts while the first copy searches for other copies.
    @Test func ofTwoCopiesThatStartAtTheSameMomentOneReportsTheOther() {
        let center = NotificationCenter()
        let (this, other) = (PackageCopy(identity: 3, at: center), PackageCopy(identity: 4, at: center))
        let reports = Lock<[String?]>([])
        let hasStarted = Lock(false)
        let observer = center.addObserver(
            forName: Notification.Name("PushBridge.copies"),
            object: nil,
            queue: nil
        ) { _ in
            let isFirst = hasStarted.withValue { hasStarted in
                defer { hasStarted = true }
                return !hasStarted
            }
            if isFirst { reports.withValue { $0.append(other.register()) } }
        }
        defer { center.removeObserver(observer) }
        let own = this.register()
        #expect((reports.withValue(\.self) + [own]).compactMap(\.self).count == 1)
    }

    @Test func theTestsContainOneCopyOfThePackage() {
        #expect(PackageCopy.this.register() == nil)
        #expect(PackageCopy.this.register() == nil)
    }
}
